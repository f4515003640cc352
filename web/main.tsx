import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { takeToken } from './token.ts'
import { paintTheme } from './theme.ts'
import { Broken } from './ui/layout/screen.tsx'
import './theme.css'

paintTheme()
takeToken()
// An address that is put into an open page changes only what is behind the #, and loads nothing.
addEventListener('hashchange', () => takeToken() && location.reload())
const place = document.getElementById('root')
if (place) {
  // What fails while it is drawn would leave an empty page without a word.
  const root = createRoot(place, { onUncaughtError: (error) => root.render(<Broken error={error} />) })
  root.render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
