/** A fresh process: loads a bundle, has it answer calls, and ends. It loads nothing of Node's that a bundle might need. */
const { argv, exit, getBuiltinModule } = process
const { readFileSync } = getBuiltinModule('node:fs')
const [, , file = '', calls = '', count = '0'] = argv
const { events, status } = JSON.parse(readFileSync(calls, 'utf8'))

/** A process under valgrind is so many times slower: what may take a second may take longer. */
const SLOWDOWN = 100
const { setTimeout } = globalThis
const timeout = AbortSignal.timeout.bind(AbortSignal)
globalThis.setTimeout = Object.assign(
  /** @type {(run: (...given: unknown[]) => void, milliseconds?: number, ...given: unknown[]) => NodeJS.Timeout} */
  (run, milliseconds = 0, ...given) => setTimeout(run, milliseconds * SLOWDOWN, ...given),
  setTimeout,
)
AbortSignal.timeout = (milliseconds) => timeout(milliseconds * SLOWDOWN)

// `import()` of CommonJS would first search the text for what it exports, which takes longer than to load it.
const { handler } = file.endsWith('.cjs')
  ? getBuiltinModule('node:module').createRequire(file)(file)
  : await import(file)
const context = { awsRequestId: 'test', functionName: 'test', getRemainingTimeInMillis: () => 10_000 }
for (let turn = 0; turn < Number(count); turn++) {
  const { statusCode } = await handler(JSON.parse(events[turn % events.length]), context)
  // The floor has no status.
  if (statusCode !== undefined && statusCode !== status) throw new Error(`answered ${statusCode}, not ${status}`)
}
exit()
