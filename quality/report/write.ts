import { writeDocuments } from '../support/documents.ts'
import { reliabilityPage } from './reliability.ts'
import { speedPage, speedPicture } from './speed.ts'

await writeDocuments('report', {
  'docs/reliability.md': reliabilityPage,
  'docs/speed.md': speedPage,
  'quality/bench/results/speed.svg': speedPicture,
})
