import type { Buffer } from 'node:buffer'
import { sha256 } from '../schemes/methods.ts'
import type { SignedCall, SignedPart } from '../schemes/scheme.ts'

/** A text of its own, or a part of the call. */
export type Piece =
  | { readonly text: string }
  | { readonly part: 'body' | 'bodySha256' | 'time' | 'id' | 'method' | 'url' | 'path' }
  | { readonly header: string }
  /** A parameter of the query, which occurs once. */
  | { readonly query: string }

const PARTS = ['body', 'bodySha256', 'time', 'id', 'method', 'url', 'path'] as const

const INHERITED = Object.getOwnPropertyNames(Object.prototype)

/** RFC 9110, section 5.6.2; and no name that every object has. */
export function isHeaderName(text: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]{1,128}$/.test(text) && !INHERITED.includes(text.toLowerCase())
}

/** What a template consists of, or what is wrong with it. */
export function piecesOf(template: string): readonly Piece[] | string {
  const pieces = [...template.matchAll(/\{([^{}]*)\}|[^{}]+|[{}]/g)].map(([text, inside]) => pieceOf(text, inside))
  return pieces.find((piece) => typeof piece === 'string') ?? pieces.filter((piece) => typeof piece !== 'string')
}

/** @param inside what stands between braces */
function pieceOf(text: string, inside: string | undefined): Piece | string {
  if (inside === undefined) return text === '{' || text === '}' ? 'has a brace without its other half' : { text }
  const part = PARTS.find((name) => name === inside)
  if (part) return { part }
  const [, query] = /^query:([\w.~-]{1,64})$/.exec(inside) ?? []
  if (query !== undefined) return { query }
  const header = inside.replace(/^header:/, '')
  if (header === inside || !isHeaderName(header)) return `has an unknown part {${inside.slice(0, 32)}}`
  return { header: header.toLowerCase() }
}

/** Whether a piece is that part of the call. */
export function isPart(piece: Piece | undefined, name: (typeof PARTS)[number]): boolean {
  return piece !== undefined && 'part' in piece && piece.part === name
}

/**
 * Why two different calls could have the same signed text; undefined if none can. The body may hold anything; every other
 * part ends where the text behind it begins, or has a fixed length.
 */
export function ambiguityOf(pieces: readonly Piece[], hasFixedTime: boolean): string | undefined {
  const bodies = pieces.filter((piece) => isPart(piece, 'body'))
  if (bodies.length > 1) return 'must contain {body} only once'
  if (pieces.every((piece) => 'text' in piece)) return 'must contain a part of the call, such as {body}'
  const open = pieces.findIndex((_, index) => isOpen(pieces, index, hasFixedTime))
  return open < 0 ? undefined : `must have text between ${nameOf(pieces[open])} and what is next to it`
}

/** Whether the signed text covers the body; without, only the parts are proven. */
export function coversBody(pieces: readonly Piece[]): boolean {
  return pieces.some((piece) => isPart(piece, 'body') || isPart(piece, 'bodySha256'))
}

/** Whether only its length shows where the time ends. */
export function isTimeOpen(pieces: readonly Piece[]): boolean {
  return pieces.some((piece, index) => isPart(piece, 'time') && isOpen(pieces, index, false))
}

function isOpen(pieces: readonly Piece[], index: number, hasFixedTime: boolean): boolean {
  const piece = pieces[index]
  if (piece === undefined || 'text' in piece || isFixed(piece, hasFixedTime)) return false
  const body = pieces.findIndex((one) => isPart(one, 'body'))
  if (index === body || (body < 0 && index === pieces.length - 1)) return false
  return borderOf(pieces, index) === undefined
}

/** Parts whose length is known, so that nothing can move over their end. */
function isFixed(piece: Piece, hasFixedTime: boolean): boolean {
  return isPart(piece, 'bodySha256') || isPart(piece, 'method') || (isPart(piece, 'time') && hasFixedTime)
}

interface Border {
  readonly text: string
  readonly isBehind: boolean
}

/** The text at which a part ends; behind the body the parts are read from the end. */
function borderOf(pieces: readonly Piece[], index: number): Border | undefined {
  const body = pieces.findIndex((piece) => isPart(piece, 'body'))
  const isBehind = body < 0 || index < body
  const next = pieces[isBehind ? index + 1 : index - 1]
  return next && 'text' in next ? { text: next.text, isBehind } : undefined
}

function nameOf(piece: Piece | undefined): string {
  if (piece === undefined || 'text' in piece) return ''
  if ('part' in piece) return `{${piece.part}}`
  return 'header' in piece ? `{header:${piece.header}}` : `{query:${piece.query}}`
}

export interface Values {
  readonly time: string | undefined
  readonly id: string | undefined
}

/** The signed content of a call; undefined if it lacks a part, or has one that does not end at its border. */
export function signedContent(
  pieces: readonly Piece[],
  call: SignedCall,
  values: Values,
  hasFixedTime: boolean,
): readonly SignedPart[] | undefined {
  const parts: SignedPart[] = []
  for (const [index, piece] of pieces.entries()) {
    const value = contentOf(piece, call, values)
    if (value === undefined) return undefined
    const border = 'text' in piece || isFixed(piece, hasFixedTime) ? undefined : borderOf(pieces, index)
    if (border && typeof value === 'string' && !endsAt(value, border)) return undefined
    parts.push(value)
  }
  return parts
}

function contentOf(piece: Piece, call: SignedCall, { time, id }: Values): string | Buffer | undefined {
  if ('text' in piece) return piece.text
  if ('header' in piece) return call.headers[piece.header]
  if ('query' in piece) return onlyOne(new URL(call.url).searchParams.getAll(piece.query))
  const values = {
    body: () => call.body,
    bodySha256: () => sha256(call.body).toString('hex'),
    time: () => time,
    id: () => id,
    method: () => call.method,
    url: () => call.url,
    path: () => call.url.slice(new URL(call.url).origin.length),
  }
  return values[piece.part]()
}

function onlyOne(values: readonly string[]): string | undefined {
  return values.length === 1 ? values[0] : undefined
}

function endsAt(value: string, { text, isBehind }: Border): boolean {
  return isBehind ? `${value}${text}`.indexOf(text) === value.length : `${text}${value}`.lastIndexOf(text) === 0
}
