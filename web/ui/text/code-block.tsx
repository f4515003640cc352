/** Text exactly as it is, scrollable by keyboard too; marks that would turn it are seen. */
export function CodeBlock({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <p className="mb-1 text-xs font-medium text-soft">{label}</p>
      <pre
        tabIndex={0}
        aria-label={label}
        className="max-h-80 overflow-auto rounded-md border border-line bg-raised p-2 font-mono text-xs whitespace-pre-wrap text-ink"
      >
        {text}
      </pre>
    </div>
  )
}
