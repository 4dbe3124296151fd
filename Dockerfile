# Builds the image of any process: docker build --build-arg APP=escrow-svc -t holdfast/escrow-svc .
# APP is a service of apps/, or migrate, or sandbox.
ARG NODE=node:24.11.1-bookworm-slim

FROM ${NODE} AS build
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts
RUN npm run build
ARG APP
RUN node tools/deploy/image.js "$APP" /image \
 && cp tools/deploy/healthcheck.js tools/deploy/sbom.js /image/

# Only the packages that this process needs, and the list of them. Types and source maps are a third of their size.
FROM ${NODE} AS packages
ARG APP
WORKDIR /app
COPY --from=build /image ./
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --workspace "@holdfast/$APP" \
 && node sbom.js > sbom.cdx.json \
 && find node_modules -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' \) -delete

FROM ${NODE}
ARG APP
LABEL org.opencontainers.image.title="holdfast/$APP"
# npm and corepack are not needed to run.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn*
ENV NODE_ENV=production
WORKDIR /app
COPY --from=packages /app ./
USER 10001:10001
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "healthcheck.js"]
CMD ["node", "--enable-source-maps", "main.js"]
