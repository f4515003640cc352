import { useEffect } from 'react'
import { showTextDirection } from '../src/domain/text/hidden-character.ts'

let place = 'Troupe'
let waiting = 0

/** The browser's title is the place a person is at, with the number of things that wait for them before it. */
export function useTitle(title: string): void {
  useEffect(() => {
    place = `${showTextDirection(title)} · Troupe`
    paint()
  }, [title])
}

export function useTitleCount(count: number): void {
  useEffect(() => {
    waiting = count
    paint()
  }, [count])
}

function paint(): void {
  document.title = waiting > 0 ? `(${waiting}) ${place}` : place
}
