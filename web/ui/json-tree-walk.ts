import { isContainer, type JsonLines, keyText, valueText } from './json-tree-lines.ts'

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
