import { argv, exit, stderr, stdout } from 'node:process'
import { fuzz } from '../support/fuzz/run.ts'
import { SEEDS } from '../support/fuzz/seeds.ts'

const USAGE = `npm run fuzz -- <mutations> [<start>]

Changes accepted webhook calls of every scheme and looks for one that is accepted though what its provider signs was
changed, or at which the verifier throws. The same start gives the same mutations. Exit 1 when one was found.
`

const [mutations = 0, start = 1] = argv.slice(2).map(Number)

if (!Number.isSafeInteger(mutations) || mutations < 1 || !Number.isSafeInteger(start)) {
  stderr.write(USAGE)
  exit(2)
}

const began = performance.now()
const { harmless, falseAccepts, thrown } = fuzz({ seeds: SEEDS, mutations, start })
for (const finding of [...falseAccepts, ...thrown].slice(0, 20)) {
  const { kind, start: again, call, places, error } = finding
  stdout.write(`${kind}, start ${again}: ${error ?? `accepted with another ${places.join(', ')}`}\n`)
  stdout.write(`  ${JSON.stringify({ ...call, body: call.body.toString('latin1') })}\n`)
}
stdout.write(
  `${mutations} mutations in ${((performance.now() - began) / 1000).toFixed(1)} s: ${falseAccepts.length} accepted though something signed was changed, ${thrown.length} threw, ${harmless} accepted with nothing signed changed\n`,
)
exit(falseAccepts.length + thrown.length > 0 ? 1 : 0)
