// The health check of an image: exits 0 when the process may take traffic. Kubernetes asks by itself instead.
const answer = await fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).catch(() => null)
process.exit(answer?.ok ? 0 : 1)
