import type { Log } from '../../../lib/runtime/log.ts'

interface LogEntry {
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** Keeps what was logged. */
export interface RecordingLog extends Log {
  readonly entries: readonly LogEntry[]
  /** The fields of every entry with that message. */
  of(message: string): readonly LogEntry['fields'][]
}

export function recordingLog(): RecordingLog {
  const entries: LogEntry[] = []
  const keep =
    (level: LogEntry['level']) =>
    (message: string, fields: LogEntry['fields'] = {}) => {
      entries.push({ level, message, fields })
    }
  return {
    entries,
    of: (message) => entries.filter((entry) => entry.message === message).map(({ fields }) => fields),
    info: keep('info'),
    warn: keep('warn'),
    error: keep('error'),
  }
}
