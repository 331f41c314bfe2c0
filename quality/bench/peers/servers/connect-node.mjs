import { ANSWER } from '../../channels/answer.ts'
import { serveWithConnect } from './connect.mjs'

await serveWithConnect(() => ANSWER, [])
