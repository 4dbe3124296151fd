import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.js'
import { createRouter } from './app/router.js'
import './styles/index.css'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
// React Router gives every page that is loaded anew the same key, and would scroll one to where another was left.
if (!window.history.state) window.history.replaceState({ key: crypto.randomUUID() }, '')
// It begins to load the page of the address.
const router = createRouter()
createRoot(root).render(
  <StrictMode>
    <App router={router} />
  </StrictMode>,
)
