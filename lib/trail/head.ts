import type { RingKey } from '../runtime/settings/key-ring.ts'
import { trailMac } from './keys.ts'

/** How far a chain has come. It is kept apart from the lines, so that the last line is covered too. */
export interface ChainHead {
  readonly chain: string
  /** Of the last line; 0 before the first. */
  readonly seq: number
  /** The MAC of the last line; empty before the first. */
  readonly mac: string
  readonly at: Date
  /** When the chain was opened. */
  readonly openedAt: Date
  readonly kid: string
  readonly seal: string
}

/** Which chain was opened last. */
export interface NewestChain {
  readonly chain: string
  readonly at: Date
  readonly kid: string
  readonly seal: string
}

export function sealHead(head: Omit<ChainHead, 'kid' | 'seal'>, key: RingKey): ChainHead {
  return { ...head, kid: key.kid, seal: trailMac(key, 'head', textOfHead(head)) }
}

export function sealNewest(newest: Omit<NewestChain, 'kid' | 'seal'>, key: RingKey): NewestChain {
  return { ...newest, kid: key.kid, seal: trailMac(key, 'newest', textOfNewest(newest)) }
}

export function isHeadSealed(head: ChainHead, keys: readonly RingKey[]): boolean {
  const key = keys.find(({ kid }) => kid === head.kid)
  return key !== undefined && sealHead(head, key).seal === head.seal
}

export function isNewestSealed(newest: NewestChain, keys: readonly RingKey[]): boolean {
  const key = keys.find(({ kid }) => kid === newest.kid)
  return key !== undefined && sealNewest(newest, key).seal === newest.seal
}

function textOfHead({ chain, seq, mac, at, openedAt }: Omit<ChainHead, 'kid' | 'seal'>): string {
  return JSON.stringify([chain, seq, mac, at.getTime(), openedAt.getTime()])
}

function textOfNewest({ chain, at }: Omit<NewestChain, 'kid' | 'seal'>): string {
  return JSON.stringify([chain, at.getTime()])
}
