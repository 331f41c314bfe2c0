/**
 * A JSON text, line by line: one line per value, a container followed by its contents. Columns instead of objects: a
 * payload of 4 MiB may have millions of lines. Offsets are into `text`, so that each value keeps its spelling.
 */
export interface JsonLines {
  readonly text: string
  readonly depths: readonly number[]
  /** The line of the container; -1 for the root. */
  readonly parents: readonly number[]
  /** Where the key is, with its quotation marks; -1 for an element of a list and for the root. */
  readonly keyStarts: readonly number[]
  readonly keyEnds: readonly number[]
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  /** The line after the contents. */
  readonly nexts: readonly number[]
  /** The number of members of a container. */
  readonly sizes: readonly number[]
  /** The position in the container. */
  readonly positions: readonly number[]
}

const SPACE = /[\s,:]/
const WORD = /[^\s,:[\]{}"]+/y

/**
 * @param isPart the text ends anywhere, as the first part of a longer one
 * @returns undefined for a text that is not JSON
 */
export function jsonLines(text: string, isPart = false): JsonLines | undefined {
  if (isPart ? !/^\s*[[{]/.test(text) : !isJson(text)) return undefined
  const { take, close, lines } = builder(text)
  let at = 0
  while (at < text.length) {
    const char = text.charAt(at)
    if (SPACE.test(char)) at++
    else if (char === '}' || char === ']') close(++at)
    else at = take(at, char)
  }
  close(text.length, Number.POSITIVE_INFINITY)
  return lines
}

function builder(text: string) {
  const open: number[] = []
  const columns = {
    depths: [] as number[],
    parents: [] as number[],
    keyStarts: [] as number[],
    keyEnds: [] as number[],
    starts: [] as number[],
    ends: [] as number[],
    nexts: [] as number[],
    sizes: [] as number[],
    positions: [] as number[],
  }
  let keyStart = -1
  let keyEnd = -1

  function add(start: number, end: number): number {
    const line = columns.starts.length
    const parent = open.at(-1) ?? -1
    columns.depths.push(open.length)
    columns.parents.push(parent)
    columns.keyStarts.push(keyStart)
    columns.keyEnds.push(keyEnd)
    columns.starts.push(start)
    columns.ends.push(end)
    columns.nexts.push(line + 1)
    columns.sizes.push(0)
    columns.positions.push(parent === -1 ? 0 : (columns.sizes[parent] ?? 0))
    if (parent !== -1) columns.sizes[parent] = (columns.sizes[parent] ?? 0) + 1
    keyStart = -1
    return line
  }

  return {
    lines: { text, ...columns },

    /** Takes the key or value that begins there; where it ends. */
    take(at: number, char: string): number {
      if (char === '{' || char === '[') {
        open.push(add(at, text.length))
        return at + 1
      }
      const end = char === '"' ? endOfString(text, at) : endOfWord(text, at)
      const parent = open.at(-1)
      const isKey = parent !== undefined && keyStart === -1 && text[columns.starts[parent] ?? 0] === '{'
      if (isKey) [keyStart, keyEnd] = [at, end]
      else add(at, end)
      return end
    },

    /** Ends the innermost containers. */
    close(end: number, count = 1): void {
      for (let closed = 0; closed < count; closed++) {
        const line = open.pop()
        if (line === undefined) return
        columns.ends[line] = end
        columns.nexts[line] = columns.starts.length
      }
    },
  }
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end + 1
}

function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text[first - 1] === '\\') first--
  return (at - first) % 2 === 1
}

function endOfWord(text: string, start: number): number {
  WORD.lastIndex = start
  WORD.test(text)
  return Math.max(start + 1, WORD.lastIndex)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Whether a line has lines below it. */
export function isContainer({ sizes }: JsonLines, line: number): boolean {
  return (sizes[line] ?? 0) > 0
}

/** The value of a line as it came, for a container with all that is in it. */
export function valueText({ text, starts, ends }: JsonLines, line: number): string {
  return text.slice(starts[line], ends[line])
}

/** The key of a line as it came, with its quotation marks; undefined if it has none. */
export function keyText({ text, keyStarts, keyEnds }: JsonLines, line: number): string | undefined {
  const start = keyStarts[line] ?? -1
  return start === -1 ? undefined : text.slice(start, keyEnds[line])
}

/** A member of the same container by its key; of several the last one, as parsers do. */
export function siblingOf(lines: JsonLines, line: number, key: string): string | undefined {
  const parent = lines.parents[line] ?? -1
  if (parent === -1) return undefined
  let found: string | undefined
  for (let other = parent + 1; other < (lines.nexts[parent] ?? 0); other = lines.nexts[other] ?? other + 1) {
    if (keyText(lines, other) === JSON.stringify(key)) found = valueText(lines, other)
  }
  return found
}

/** The path of a line (RFC 9535): `$.data.items[0]["odd key"]`. */
export function pathTo(lines: JsonLines, line: number): string {
  const steps: string[] = []
  for (let at = line; (lines.parents[at] ?? -1) !== -1; at = lines.parents[at] ?? 0) {
    const key = keyText(lines, at)
    steps.unshift(key === undefined ? `[${lines.positions[at]}]` : stepTo(key))
  }
  return `$${steps.join('')}`
}

function stepTo(key: string): string {
  return /^"[A-Za-z_]\w*"$/.test(key) ? `.${key.slice(1, -1)}` : `[${key}]`
}

/** The lines to draw: the root only if it is empty, and no lines of folded containers. */
export function unfolded(lines: JsonLines, folded: ReadonlySet<number>): readonly number[] {
  const shown: number[] = []
  let line = isContainer(lines, 0) ? 1 : 0
  while (line < lines.starts.length) {
    shown.push(line)
    line = folded.has(line) ? (lines.nexts[line] ?? line + 1) : line + 1
  }
  return shown
}

/** The lines whose key or value contains a text, in any case; a container counts by its key alone. */
export function matchesOf(lines: JsonLines, words: string): readonly number[] {
  if (words === '') return []
  const found: number[] = []
  const pattern = new RegExp(words.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`), 'gi')
  for (let match = pattern.exec(lines.text); match; match = pattern.exec(lines.text)) {
    const line = lineAt(lines, match.index)
    if (line !== -1 && match.index < reachOf(lines, line)) {
      found.push(line)
      pattern.lastIndex = Math.max(pattern.lastIndex, reachOf(lines, line))
    }
  }
  return found
}

/** The end of the text that a line itself shows. */
function reachOf(lines: JsonLines, line: number): number {
  return (isContainer(lines, line) ? lines.keyEnds[line] : lines.ends[line]) ?? 0
}

/** The last line that begins at an offset or before it; -1 if there is none. */
function lineAt({ starts, keyStarts }: JsonLines, offset: number): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const key = keyStarts[middle] ?? -1
    const start = key === -1 ? (starts[middle] ?? 0) : key
    if (start <= offset) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The folded containers that remain after the containers of a line are opened, so that the line is visible. */
export function opened({ parents }: JsonLines, folded: ReadonlySet<number>, line: number): ReadonlySet<number> {
  const rest = new Set(folded)
  for (let at = parents[line] ?? -1; at !== -1; at = parents[at] ?? -1) rest.delete(at)
  return rest
}
