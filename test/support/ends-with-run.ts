import process, { exit } from 'node:process'

/** A worker ends when the run is killed; what it has started follows. Files share a worker, and need this once. */
function endWithRun(): void {
  exit(1)
}

if (!process.listeners('disconnect').some(({ name }) => name === endWithRun.name)) {
  process.once('disconnect', endWithRun)
}
