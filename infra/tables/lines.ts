const WIDTH = 120

/** The words in lines that are no longer than lines of code are here; a word is never broken. */
export function linesOf(words: readonly string[], separator: string): string {
  const lines = ['']
  for (const word of words) {
    const line = lines.at(-1) ?? ''
    if (line === '') lines[lines.length - 1] = word
    else if (line.length + separator.length + word.length <= WIDTH) lines[lines.length - 1] = line + separator + word
    else lines.push(word)
  }
  return lines.join('\n')
}
