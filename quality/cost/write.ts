import { writeDocuments } from '../support/documents.ts'
import { cost } from './page.ts'

await writeDocuments('cost', { 'docs/cost.md': cost })
