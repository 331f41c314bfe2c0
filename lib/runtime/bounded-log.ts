import type { Log } from './log.ts'
import type { Timers } from './timers.ts'

/** In a window of that length each message is written so many times. */
const WINDOW_MS = 10_000
const LINES = 10

interface Window {
  lines: number
  unwritten: number
}

/**
 * Writes of each message the first lines in a window of ten seconds, and behind it how many more there were: what strangers
 * set off must not fill the log.
 */
export function boundedLog(log: Log, timers: Timers): Log['info'] {
  const windows = new Map<string, Window>()

  function open(message: string): Window {
    const window = { lines: 0, unwritten: 0 }
    windows.set(message, window)
    timers.after(WINDOW_MS, () => {
      windows.delete(message)
      if (window.unwritten > 0) log.info(message, { more: window.unwritten })
    })
    return window
  }

  return (message, fields) => {
    const window = windows.get(message) ?? open(message)
    if (window.lines >= LINES) {
      window.unwritten += 1
    } else {
      window.lines += 1
      log.info(message, fields)
    }
  }
}
