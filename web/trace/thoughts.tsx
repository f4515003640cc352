/** What the model thought before it spoke, for who wants to know. */
export function Thoughts({ text }: { text: string }) {
  return (
    <details className="text-xs text-soft">
      <summary className="w-fit cursor-pointer">Thoughts</summary>
      <p className="mt-1 rounded-md bg-raised p-2 whitespace-pre-wrap">{text}</p>
    </details>
  )
}
