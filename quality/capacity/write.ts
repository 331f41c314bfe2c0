import { writeDocuments } from '../support/documents.ts'
import { capacityPage } from './page.ts'

await writeDocuments('capacity', { 'docs/capacity.md': capacityPage })
