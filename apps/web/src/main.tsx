import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.js'
import './styles/index.css'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
// The server wrote the description of the first page; from now on the page that is shown writes its own (`PageHead`).
document.head.querySelector('meta[name="description"]')?.remove()
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
