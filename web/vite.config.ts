import { join } from 'node:path'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The page is built once into web/dist and served by the same process as the API. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react({ jsxImportSource: 'troupe-page' }), tailwind()],
  resolve: { alias: { 'troupe-page/jsx-runtime': join(import.meta.dirname, 'jsx-runtime.ts') } },
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2023', modulePreload: { polyfill: false }, license: { fileName: 'licenses.txt' } },
})
