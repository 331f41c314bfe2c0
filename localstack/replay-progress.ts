import { Presets, SingleBar } from 'cli-progress'
import type { ReplayState } from './replay-client.ts'

/** Shows the progress of a replay. */
export interface ProgressDisplay {
  show(state: ReplayState): void
  end(): void
}

/** A bar that is redrawn in place. */
export function barProgress(stream: NodeJS.WritableStream): ProgressDisplay {
  const format = '{bar} {value}/{total}  {done} done  {failed} failed  {eta_formatted} left'
  const bar = new SingleBar({ format, stream, hideCursor: true, etaBuffer: 50 }, Presets.shades_classic)
  let isStarted = false
  return {
    show({ matched, done, failed }) {
      if (!isStarted) bar.start(matched, 0, { done, failed })
      isStarted = true
      bar.setTotal(matched)
      bar.update(done + failed, { done, failed })
    },
    end: () => bar.stop(),
  }
}

/** One line per change, for logs and pipes. */
export function lineProgress(write: (line: string) => void): ProgressDisplay {
  let last = ''
  return {
    show({ replayId, matched, done, failed }) {
      const line = `${replayId}  ${done + failed}/${matched}  ${done} done  ${failed} failed\n`
      if (line !== last) write(line)
      last = line
    },
    end() {},
  }
}
