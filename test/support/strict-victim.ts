import { startStrict } from './strict.ts'

/** Prints the id of a function's process, and waits to be killed. */
const { ask } = await startStrict()
const { json } = await ask('/counter?0')
console.log(json.pid)
