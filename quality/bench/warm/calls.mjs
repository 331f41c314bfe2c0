/** A fresh process that answers a case so many times, and ends. */
const { argv, exit, getBuiltinModule } = process
const { readFileSync } = getBuiltinModule('node:fs')
const [, , file = '', texts = '', index = '0', count = '0'] = argv
const { events, status } = JSON.parse(readFileSync(texts, 'utf8'))[Number(index)]

const { handler } = file.endsWith('.cjs')
  ? getBuiltinModule('node:module').createRequire(file)(file)
  : await import(file)
const context = { awsRequestId: 'test', functionName: 'test', getRemainingTimeInMillis: () => 10_000 }
for (let turn = 0; turn < Number(count); turn++) {
  const { statusCode } = await handler(JSON.parse(events[turn % events.length]), context)
  if (statusCode !== undefined && statusCode !== status) throw new Error(`answered ${statusCode}, not ${status}`)
}
exit()
