const pad = (number: number) => String(number).padStart(2, '0')

/** The time left, to the second: "23:59:07", preceded by days if there are any; undefined if none is left. */
export function timeLeft(end: Date, now: Date): string | undefined {
  const seconds = Math.ceil((end.getTime() - now.getTime()) / 1000)
  if (seconds <= 0) return undefined
  const [days, hours] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24]
  const clock = [hours, Math.floor(seconds / 60) % 60, seconds % 60].map(pad).join(':')
  return days === 0 ? clock : `${days} d ${clock}`
}
