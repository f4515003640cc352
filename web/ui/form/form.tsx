import type { ComponentProps, FormEvent } from 'react'

const box = 'flex flex-col gap-4 rounded-xl border border-line bg-surface p-4 sm:p-5'

/** A form that the page sends itself, in place of the browser. As it is, it looks like one that begins something: a chat, a goal, a job, a play. */
export function Form({ onSubmit, className = box, ...rest }: Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit: () => void }) {
  function submit(event: FormEvent) {
    event.preventDefault()
    onSubmit()
  }
  return <form onSubmit={submit} className={className} {...rest} />
}
