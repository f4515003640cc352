/** Reads a server-sent stream: give it the text as it comes, and it hands on the data of each whole event. */
export function eventReader(onData: (data: string) => void): (text: string) => void {
  let rest = ''
  let data: string[] = []

  function readLine(line: string): void {
    if (line === '') {
      if (data.length > 0) onData(data.join('\n'))
      data = []
    }
    if (line.startsWith('data:')) data.push(line.startsWith(' ', 5) ? line.slice(6) : line.slice(5))
  }

  return (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) readLine(line.endsWith('\r') ? line.slice(0, -1) : line)
  }
}
