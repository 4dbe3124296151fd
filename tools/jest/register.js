// `node --import tools/jest/register.js`: lets Node import the TypeScript of this tree (typescript-hooks.js).
import { register } from 'node:module'

register('./typescript-hooks.js', import.meta.url)
