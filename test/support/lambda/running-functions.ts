import type { ExecutionEnvironment } from '../../../localstack/strict/execution-environment.ts'

/** Processes of functions, of which only the last few that were asked for are kept. */
export interface RunningFunctions {
  /** The process of a function, started unless there is one. */
  get(name: string): Promise<ExecutionEnvironment>
  stop(): Promise<void>
}

export function runningFunctions(
  start: (name: string) => Promise<ExecutionEnvironment>,
  limit: number,
): RunningFunctions {
  /** In the order of use. */
  const kept = new Map<string, Promise<ExecutionEnvironment>>()

  async function end(name: string): Promise<void> {
    const running = kept.get(name)
    kept.delete(name)
    await (await running)?.stop()
  }

  return {
    async get(name) {
      const running = kept.get(name) ?? start(name)
      kept.delete(name)
      kept.set(name, running)
      const [oldest = name] = kept.keys()
      if (kept.size > limit) await end(oldest)
      return running
    },
    async stop() {
      await Promise.all([...kept.keys()].map(end))
    },
  }
}
