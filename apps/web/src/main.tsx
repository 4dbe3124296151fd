import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.js'
import { createRouter } from './app/router.js'
import './styles/index.css'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
const router = createRouter()
createRoot(root).render(
  <StrictMode>
    <App router={router} />
  </StrictMode>,
)
