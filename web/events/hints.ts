import { type JsonLines, keyText, siblingOf, valueText } from '../ui/json-lines.ts'
import { fullTime } from '../ui/times.tsx'
import type { EventDetail } from './record.ts'

/** Names of members that hold a time; a number alone could be anything. */
const TIMES = /(?:^|[a-z_])(?:at|time|timestamp|date|created|updated|expires|expiry|start|end|ts|iat|exp|nbf|on)$/i

/** 2001 to 2100, in seconds. */
const SECONDS = { from: 1_000_000_000, to: 4_102_444_800 }

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/

/** Sources that write amounts in the smallest unit of a currency, and the members that hold one. */
const MINOR_UNITS: Readonly<Record<string, RegExp>> = {
  stripe: /^(?:amount|amount_\w+|unit_amount|subtotal|total|tax|fee|net|balance)$/,
  square: /^amount$/,
  razorpay: /^(?:amount|amount_\w+|fee|tax)$/,
  adyen: /^value$/,
  chargebee: /(?:amount|total|sub_total|price)$/,
}

/** What a value of a payload means to people: a time in their zone, or an amount of money. */
export function meaningOf(lines: JsonLines, line: number, source: string): string | undefined {
  const key = keyText(lines, line)?.slice(1, -1) ?? ''
  const value = valueText(lines, line)
  return timeIn(key, value) ?? moneyIn(lines, line, source, key, value)
}

function timeIn(key: string, value: string): string | undefined {
  const text = value.startsWith('"') ? value.slice(1, -1) : value
  if (ISO.test(text)) return shownTime(new Date(text))
  if (!TIMES.test(key) || !/^(?:\d{10}|\d{13})$/.test(text)) return undefined
  const seconds = Number(text) / (text.length === 13 ? 1000 : 1)
  return seconds >= SECONDS.from && seconds <= SECONDS.to ? shownTime(new Date(seconds * 1000)) : undefined
}

/** Undefined for a time that no calendar has. */
function shownTime(at: Date): string | undefined {
  return Number.isNaN(at.getTime()) ? undefined : fullTime(at).replace(/\.000$/, '')
}

function moneyIn(lines: JsonLines, line: number, source: string, key: string, value: string): string | undefined {
  if (MINOR_UNITS[source]?.test(key) !== true || !/^-?\d+$/.test(value)) return undefined
  const currency = siblingOf(lines, line, 'currency') ?? siblingOf(lines, line, 'currency_code')
  const code = /^"([A-Za-z]{3})"$/.exec(currency ?? '')?.[1]?.toUpperCase()
  return code === undefined ? undefined : `${majorUnits(value, decimalsOf(code))} ${code}`
}

function decimalsOf(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.resolvedOptions().maximumFractionDigits ?? 2
}

/** An amount with its point, moved as text: no digit is lost. */
function majorUnits(minor: string, decimals: number): string {
  const [, sign = '', digits = ''] = /^(-?)(\d+)$/.exec(minor) ?? []
  if (decimals === 0) return minor
  const padded = digits.padStart(decimals + 1, '0')
  return `${sign}${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`
}

type Sized = Pick<EventDetail, 'payload' | 'payloadEncoding' | 'payloadTruncated'>

/** The size of a payload in words; undefined once it is deleted. */
export function payloadSize({ payload, payloadEncoding, payloadTruncated }: Sized): string | undefined {
  if (payload === null) return undefined
  if (payloadTruncated) return 'more than 256 KiB'
  const bytes = payloadEncoding === 'utf8' ? new TextEncoder().encode(payload).length : atob(payload).length
  return byteSize(bytes)
}

/** "1,812 bytes", "256.0 KiB", "4.0 MiB". */
export function byteSize(bytes: number): string {
  if (bytes >= 1_048_576) return `${(bytes / 1_048_576).toFixed(1)} MiB`
  if (bytes >= 10_240) return `${(bytes / 1024).toFixed(1)} KiB`
  return bytes === 1 ? '1 byte' : `${bytes.toLocaleString('en')} bytes`
}
