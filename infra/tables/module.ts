const WIDTH = 120

interface Table {
  /** Whose data it is, and their license. */
  readonly notice: string
  /** Of the constant, in lines that need nothing in front of them. */
  readonly comment: readonly string[]
  readonly name: string
  readonly words: readonly string[]
  readonly separator: string
}

/** A module with one constant that is a text. Bundles keep its notice. */
export function moduleOf({ notice, comment, name, words, separator }: Table): string {
  const above = comment.map((line) => ` * ${line}`).join('\n')
  return `/*!\n${notice}\n*/\n\n/**\n${above}\n */\nexport const ${name} = \`\n${linesOf(words, separator)}\n\`\n`
}

/** The words in lines that are no longer than lines of code are here; a word is never broken. */
function linesOf(words: readonly string[], separator: string): string {
  const lines = ['']
  for (const word of words) {
    const line = lines.at(-1) ?? ''
    if (line === '') lines[lines.length - 1] = word
    else if (line.length + separator.length + word.length <= WIDTH) lines[lines.length - 1] = line + separator + word
    else lines.push(word)
  }
  return lines.join('\n')
}
