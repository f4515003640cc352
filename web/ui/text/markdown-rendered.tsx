import { memo } from 'react'
import ReactMarkdown from 'react-markdown'
import remarkGfm from 'remark-gfm'

const plugins = [remarkGfm]

/** Raw HTML stays text and links open outside: what a model writes must never run in this page. */
function MarkdownRendered({ text }: { text: string }) {
  return (
    <ReactMarkdown
      remarkPlugins={plugins}
      components={{
        a: (props) => (
          <a href={props.href} target="_blank" rel="noreferrer noopener">
            {props.children}
          </a>
        ),
        img: (props) => <span>[image: {props.alt}]</span>,
      }}
    >
      {text}
    </ReactMarkdown>
  )
}

export default memo(MarkdownRendered)
