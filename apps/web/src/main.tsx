import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.js'
import { loadPage } from './app/router.js'
import './styles/index.css'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
const show = () =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
// When the code cannot be loaded, the page shows the failure. There is no top-level `await` here: the files of pages may import
// this file, and each would wait for the other.
loadPage(window.location.pathname).then(show, show)
