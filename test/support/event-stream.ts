import { onTestFinished, vi } from 'vitest'

interface StreamEvent {
  readonly type: string
  readonly id: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it
  readonly data: any
}

/** A client that reads a stream as the HTML standard says ("Interpreting an event stream"), and sends headers as it likes. */
export async function openEventStream(url: string, headers: Readonly<Record<string, string>> = {}) {
  const abort = new AbortController()
  const response = await fetch(url, { headers, signal: abort.signal })
  const events: StreamEvent[] = []
  const comments: string[] = []
  const state = { lastEventId: '', retry: 0, isOver: false }
  let draft = { type: 'message', data: '' }

  const fields: Readonly<Record<string, (value: string) => void>> = {
    '': (value) => comments.push(value),
    event: (value) => Object.assign(draft, { type: value }),
    data: (value) => Object.assign(draft, { data: `${draft.data}${value}\n` }),
    id: (value) => Object.assign(state, { lastEventId: value }),
    retry: (value) => Object.assign(state, { retry: Number(value) }),
  }

  function take(line: string): void {
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (line === '') dispatch()
    else fields[name]?.(value)
  }

  function dispatch(): void {
    if (draft.data !== '') events.push({ type: draft.type, id: state.lastEventId, data: JSON.parse(draft.data) })
    draft = { type: 'message', data: '' }
  }

  async function read(): Promise<void> {
    let rest = ''
    for await (const text of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) take(line)
    }
  }

  const isStream = response.headers.get('content-type') === 'text/event-stream'
  const ended = isStream ? read().catch(() => {}) : undefined
  void ended?.then(() => {
    state.isOver = true
  })
  onTestFinished(() => abort.abort())
  if (!isStream) await response.text()
  return {
    status: response.status,
    headers: response.headers,
    events,
    comments,
    state,
    /** Resolves with the events once there are so many. */
    async heard(count: number): Promise<readonly StreamEvent[]> {
      await vi.waitUntil(() => events.length >= count, { timeout: 20_000, interval: 5 })
      return events
    },
    /** Resolves with the last event once the server has ended the stream. */
    async over(): Promise<StreamEvent | undefined> {
      await vi.waitUntil(() => state.isOver, { timeout: 20_000, interval: 5 })
      return events.at(-1)
    },
    close: () => abort.abort(),
  }
}
