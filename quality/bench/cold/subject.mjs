/** A fresh process: loads a bundle, has it answer one call, or as many as are wanted, and ends. It loads nothing of Node's that a bundle might need. */
const { argv, exit, getBuiltinModule } = process
const { writeSync } = getBuiltinModule('node:fs')
const [, , file = '', asked = ''] = argv
const { event, status, slowdown, calls = 1 } = JSON.parse(asked)

stretchTime(slowdown)
// `import()` of CommonJS would first search the text for what it exports, which takes longer than to load it.
const { handler } = file.endsWith('.cjs')
  ? getBuiltinModule('node:module').createRequire(file)(file)
  : await import(file)
const context = { awsRequestId: 'test', functionName: 'test', getRemainingTimeInMillis: () => 10_000 }
for (let call = 0; call < calls; call++) {
  const answer = await handler(event, context)
  if (status !== undefined && answer.statusCode !== status) throw new Error(`answered ${JSON.stringify(answer)}`)
}
const { user, system } = process.cpuUsage()
writeSync(2, `\n${(user + system) / 1000}\n`)
exit()

/**
 * What may take a second may take longer in a process that is so many times slower.
 * @param {number} times
 */
function stretchTime(times) {
  const { setTimeout } = globalThis
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  globalThis.setTimeout = Object.assign(
    /** @type {(run: (...given: unknown[]) => void, milliseconds?: number, ...given: unknown[]) => NodeJS.Timeout} */
    (run, milliseconds = 0, ...given) => setTimeout(run, milliseconds * times, ...given),
    setTimeout,
  )
  AbortSignal.timeout = (milliseconds) => timeout(milliseconds * times)
}
