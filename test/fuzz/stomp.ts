import { argv } from 'node:process'
import { fuzzFrames } from './stomp-frames.ts'

const count = Number(argv[2] ?? 1_000_000)
const firstSeed = Number(argv[3] ?? 1)
const begun = performance.now()
const { frames, refused } = fuzzFrames(count, firstSeed)
const seconds = (performance.now() - begun) / 1000
console.log(
  `${count} inputs from seed ${firstSeed}: ${frames} frames, ${refused} refused, none wrong, ${seconds.toFixed(0)} s`,
)
