import type { Nodes, Parents } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'
import { PHRASES, STARTS } from './phrases.ts'
import { BRITISH } from './spelling.ts'

/** In words. */
const AVERAGE = 20
const LONGEST = 40

/** Fewer sentences than this have no average. */
const ENOUGH = 8

export interface Finding {
  readonly line: number
  readonly message: string
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** The hard places in a text of Markdown; its code is left out. @param isTerse whether it consists of phrases, as comments do */
export function check(text: string, isTerse = false): readonly Finding[] {
  const blocks = blocksOf(fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] }))
  const sentences = blocks.flatMap(sentencesOf)
  return [...sentences.flatMap((sentence) => faultsOf(sentence, isTerse)), ...averageOf(sentences)]
}

interface Block {
  readonly isProse: boolean
  readonly text: string
  readonly line: number
}

function blocksOf(node: Nodes): readonly Block[] {
  if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell') {
    return [{ isProse: node.type === 'paragraph', text: textOf(node), line: node.position?.start.line ?? 1 }]
  }
  return 'children' in node ? (node as Parents).children.flatMap(blocksOf) : []
}

/** Code is no word. */
function textOf(node: Nodes): string {
  if (node.type === 'inlineCode') return 'X'.repeat(node.value.length)
  if (node.type === 'text') return node.value
  return 'children' in node ? (node as Parents).children.map(textOf).join('') : ' '
}

interface Sentence extends Block {
  readonly words: number
}

function sentencesOf({ text, line, isProse }: Block): readonly Sentence[] {
  // The end of a line would end a sentence (Unicode Standard Annex 29).
  return [...segmenter.segment(text.replaceAll('\n', ' '))].map(({ segment, index }) => ({
    isProse,
    text: segment.trim(),
    line: line + text.slice(0, index).split('\n').length - 1,
    words: segment.split(/\s+/).filter((word) => /\w/.test(word) && !/^X+\W*$/.test(word)).length,
  }))
}

function averageOf(sentences: readonly Sentence[]): readonly Finding[] {
  const lengths = sentences.filter(({ isProse, words }) => isProse && words > 0).map(({ words }) => words)
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  return lengths.length < ENOUGH || average <= AVERAGE
    ? []
    : [{ line: 1, message: `${average.toFixed(1)} words in an average sentence, ${AVERAGE} are enough` }]
}

function faultsOf({ text, line, words, isProse }: Sentence, isTerse: boolean): readonly Finding[] {
  const faults = [...PHRASES, ...BRITISH].flatMap(([pattern, instead]) => {
    const match = pattern.exec(text.replaceAll('\n', ' '))
    if (!match) return []
    return [{ line: line + text.slice(0, match.index).split('\n').length - 1, message: `"${match[0]}": ${instead}` }]
  })
  if (isProse && words > LONGEST)
    faults.push({ line, message: `${words} words in a sentence, ${LONGEST} are too many` })
  const start = isProse && !isTerse ? STARTS.exec(text) : null
  if (start) faults.push({ line, message: `"${start[0]} …" as the subject: name it` })
  return faults
}
