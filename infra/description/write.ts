import { writeFileSync } from 'node:fs'
import { DOCUMENTS } from './documents.ts'

for (const [file, text] of Object.entries(DOCUMENTS)) writeFileSync(file, text())
