// Imported first by every Node process of a service under load: writes down what only the process itself knows.
import { appendFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import process, { env, pid } from 'node:process'

const SAMPLE_MS = 10_000
const GLANCE_MS = 200

const delay = monitorEventLoopDelay({ resolution: 10 })
delay.enable()
let floor = Number.POSITIVE_INFINITY

// The least that the heap came down to is what lives; what lies above it is garbage yet to be collected.
setInterval(() => {
  floor = Math.min(floor, process.memoryUsage().heapUsed)
}, GLANCE_MS).unref()

setInterval(() => {
  const sample = { at: Date.now(), heap: floor, delayP99: delay.percentile(99) / 1e6, delayMax: delay.max / 1e6 }
  appendFileSync(`${env['WATCH_FOLDER']}/${pid}.jsonl`, `${JSON.stringify(sample)}\n`)
  floor = Number.POSITIVE_INFINITY
  delay.reset()
}, SAMPLE_MS).unref()
