import { useSyncExternalStore } from 'react'

const values = new Map<string, unknown>()
const watchers = new Set<() => void>()

/** State of this tab that outlives the component and a reload of the page, shared by all who name the same key. */
export function useKept<Value>(key: string, initial: Value): [Value, (change: (now: Value) => Value) => void] {
  const value = useSyncExternalStore(watch, () => kept(key, initial))
  return [value, (change) => keep(key, change(kept(key, initial)), initial)]
}

/** The same outside of a component. */
export function changeKept<Value>(key: string, initial: Value, change: (now: Value) => Value): void {
  keep(key, change(kept(key, initial)), initial)
}

function kept<Value>(key: string, initial: Value): Value {
  if (!values.has(key)) values.set(key, stored(key) ?? initial)
  return values.get(key) as Value // a key is used for one kind of value
}

function keep<Value>(key: string, value: Value, initial: Value): void {
  values.set(key, value)
  try {
    if (JSON.stringify(value) === JSON.stringify(initial)) sessionStorage.removeItem(storedAs(key))
    else sessionStorage.setItem(storedAs(key), JSON.stringify(value))
  } catch {
    // A browser that has no room, or keeps nothing: it lasts until the page is reloaded.
  }
  for (const watcher of watchers) watcher()
}

function stored(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(storedAs(key)) ?? 'null')
  } catch {
    return null
  }
}

function storedAs(key: string): string {
  return `troupe.${key}`
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
