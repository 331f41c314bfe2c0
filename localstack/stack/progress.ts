import { stderr } from 'node:process'

/** Below this a part is not worth a word, in milliseconds. */
const NOTABLE = 1000

const SINCE_START = () => performance.now()

/**
 * Tells what a start waits for, on standard error: on a terminal in one line that changes, otherwise in a line for each
 * part when it is done.
 */
export function startProgress(out: NodeJS.WriteStream = stderr, now: () => number = SINCE_START) {
  const running = new Set<string>()
  const finished: string[] = []

  function show(): void {
    if (out.isTTY) out.write(`\r\u001b[K${[...finished, ...[...running].map((name) => `${name} …`)].join(' · ')}`)
  }

  function report(text: string): void {
    finished.push(text)
    if (!out.isTTY) out.write(`${text}\n`)
  }

  return {
    /** Runs a part, and prints its seconds if it takes longer than one. */
    async part<T>(name: string, work: Promise<T> | T): Promise<T> {
      const began = now()
      running.add(name)
      show()
      try {
        return await work
      } finally {
        running.delete(name)
        if (now() - began >= NOTABLE) report(`${name} ${seconds(now() - began)}`)
        show()
      }
    },
    /** Tells how long all of it took. */
    done(): void {
      report(`ready in ${seconds(now())}`)
      show()
      if (out.isTTY) out.write('\n')
    },
  }
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
