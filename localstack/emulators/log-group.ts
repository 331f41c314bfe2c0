import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/** A line that was put, in the group's order of time. */
export interface StoredLine {
  readonly logStreamName: string
  readonly timestamp: number
  readonly message: string
}

/** The lines of one group. */
export interface LogLines {
  append(lines: readonly StoredLine[]): void
  all(): readonly StoredLine[]
}

export function memoryLines(): LogLines {
  const kept: StoredLine[] = []
  return { append: (lines) => void kept.push(...lines), all: () => kept }
}

/**
 * One line a line, byte for byte and nothing else. A line of the audit trail contains its chain and its time; a foreign
 * text in the file has no stream and no time.
 */
export function fileLines(path: string): LogLines {
  // What a run left unfinished that was killed while it wrote: the next line must not become a part of it.
  if (existsSync(path) && !/(?:^|\n)$/.test(readFileSync(path, 'utf8'))) appendFileSync(path, '\n')
  return {
    append: (lines) => appendFileSync(path, lines.map(({ message }) => `${message}\n`).join(''), { mode: 0o600 }),
    all() {
      if (!existsSync(path)) return []
      return readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map(placed)
    },
  }
}

function placed(message: string): StoredLine {
  try {
    const { chain, at } = JSON.parse(message)
    return { logStreamName: String(chain), timestamp: Date.parse(at) || 0, message }
  } catch {
    return { logStreamName: 'none', timestamp: 0, message }
  }
}
