import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { takeToken } from './token.ts'
import { paintTheme } from './theme.ts'
import './theme.css'

paintTheme()
takeToken()
// An address that is put into an open page changes only what is behind the #, and loads nothing.
addEventListener('hashchange', () => takeToken() && location.reload())
const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
