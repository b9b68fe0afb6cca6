# syntax=docker/dockerfile:1
# One image for every role; docs/deployment.md says how to run it. It runs a bundle (docs/adr/0026-bundle-in-the-image.md).
ARG NODE_IMAGE=node:24.21.0-trixie-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY . .
RUN npm ci --ignore-scripts && npm run build && node scripts/bundle-server.ts

FROM ${NODE_IMAGE}
# The fonts write the names of people into recordings.
RUN apt-get update \
    && apt-get install -y --no-install-recommends ffmpeg fonts-dejavu-core fonts-noto-cjk fonts-thai-tlwg \
    && rm -rf /var/lib/apt/lists/* \
    && mkdir -p /work /recordings /app/compiled && chown node:node /work /recordings /app/compiled
WORKDIR /app
COPY package.json LICENSE ./
COPY scripts/health-check.mjs scripts/
COPY server/migrations server/migrations
COPY server/src/platform/sandbox/sample-recording.mp4 server/src/platform/sandbox/
COPY server/sample-interview server/sample-interview
# The integration guide, served at /docs.
COPY docs docs
COPY --from=build /app/web/dist web/dist
COPY --from=build /app/dist dist
ENV NODE_ENV=production \
    NODE_COMPILE_CACHE=/app/compiled \
    HOST=0.0.0.0 \
    PORT=3000 \
    OPERATIONS_HOST=0.0.0.0 \
    OPERATIONS_PORT=9090 \
    WORK_DIR=/work \
    FFMPEG_PATH=/usr/bin/ffmpeg
# The number, so that an orchestrator can tell that it is not root. Everything but /work, the /recordings of a recorder,
# and /tmp may be read-only.
USER 1000:1000
# Without settings every program ends at once, and Node then writes what it has compiled to NODE_COMPILE_CACHE.
RUN for program in dist/*.js; do node "$program" --help < /dev/null > /dev/null 2>&1 || true; done
EXPOSE 3000 9090
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "scripts/health-check.mjs"]
ENTRYPOINT ["node"]
CMD ["dist/main.js"]
