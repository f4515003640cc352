import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where `npm start` listens; `npm run dev` shows the page from its sources and passes everything else on to it. */
const server = `http://127.0.0.1:${process.env['TROUPE_PORT'] ?? 4747}`

/** The page is built once into web/dist and served by the same process as the API. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react({ jsxImportSource: 'troupe-page' }), tailwind(), fontLicenses()],
  resolve: {
    alias: ['jsx-runtime', 'jsx-dev-runtime'].map((name) => ({
      find: `troupe-page/${name}`,
      replacement: join(import.meta.dirname, `${name}.ts`),
    })),
  },
  // The server answers only its own page, so a request must name it, not us.
  server: { proxy: { '^/api/': { target: server, changeOrigin: true, headers: { origin: server } } } },
  // A typeface written into the stylesheet is refused by the policy of the page.
  build: {
    assetsInlineLimit: (file) => (file.endsWith('.woff2') ? false : undefined),
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    license: { fileName: 'licenses.txt' },
  },
})

/** The typefaces come in through a stylesheet, where Vite collects no licences; theirs is passed on with them. */
function fontLicenses() {
  return {
    name: 'font-licenses',
    generateBundle(this: { emitFile: (file: { type: 'asset'; fileName: string; source: string }) => void }) {
      for (const font of ['inter', 'jetbrains-mono']) {
        const source = readFileSync(join(import.meta.dirname, '../node_modules/@fontsource-variable', font, 'LICENSE'), 'utf8')
        this.emitFile({ type: 'asset', fileName: `assets/${font}-license.txt`, source })
      }
    },
  }
}
