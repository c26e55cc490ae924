#!/usr/bin/env node
import { main } from './main.js'

// Who reads only the beginning (`… | head`) has what he wanted.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

process.exitCode = await main(process.argv.slice(2))
