const FORM = /^(\d{4})(\d\d)(\d\d)(\d\d)(?:(\d\d)(?:(\d\d))?)?(?:[.,](\d{1,9}))?(?:Z|([+-]\d\d)(\d\d)?)$/

/** A time as directories write it (RFC 4517 section 3.3.13): `20261123200000Z`; undefined for what is none. */
export function generalizedTime(text: string): Date | undefined {
  const parts = FORM.exec(text)
  if (!parts) return undefined
  const [, year, month, day, hour, minute, second, fraction = '', offsetHours = '+00', offsetMinutes = '00'] = parts
  const unit = second !== undefined ? 1000 : minute !== undefined ? 60_000 : 3_600_000
  const start = `${year}-${month}-${day}T${hour}:${minute ?? '00'}:${second ?? '00'}.000${offsetHours}:${offsetMinutes}`
  const milliseconds = Date.parse(start) + Math.floor(Number(`0.${fraction}0`) * unit)
  return Number.isNaN(milliseconds) ? undefined : new Date(milliseconds)
}
