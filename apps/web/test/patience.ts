import { configure } from '@testing-library/react'

// Long enough for a busy machine. A test that passes never waits this long.
configure({ asyncUtilTimeout: 10_000 })
