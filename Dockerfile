# syntax=docker/dockerfile:1
# One image for every role; docs/deployment.md says how to run it. The base image brings Node, so the packages
# that bring it to other machines are removed. Other optional packages stay: they decode images.

FROM node:24.21.0-trixie-slim AS pages
WORKDIR /app
COPY . .
RUN npm ci --ignore-scripts && npm run build

FROM node:24.21.0-trixie-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY sdk/package.json sdk/
COPY composer/package.json composer/
COPY media-server/package.json media-server/
COPY server/package.json server/
COPY web/package.json web/
COPY e2e/package.json e2e/
COPY bench/package.json bench/
RUN npm ci --omit=dev --ignore-scripts --include-workspace-root \
      --workspace contract --workspace sdk --workspace composer --workspace media-server --workspace server \
    && rm -rf node_modules/node-linux-* node_modules/.bin/node

FROM node:24.21.0-trixie-slim
# The fonts write the names of people into recordings.
RUN apt-get update \
    && apt-get install -y --no-install-recommends ffmpeg fonts-dejavu-core fonts-noto-cjk fonts-thai-tlwg \
    && rm -rf /var/lib/apt/lists/* \
    && mkdir -p /work /recordings && chown node:node /work /recordings
WORKDIR /app
COPY --from=packages /app ./
COPY package.json LICENSE ./
COPY scripts/run.mjs scripts/health-check.mjs scripts/
COPY contract contract
COPY sdk sdk
COPY composer composer
COPY media-server media-server
COPY server server
# The integration guide, served at /docs.
COPY docs docs
COPY --from=pages /app/web/dist web/dist
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    OPERATIONS_HOST=0.0.0.0 \
    OPERATIONS_PORT=9090 \
    WORK_DIR=/work \
    FFMPEG_PATH=/usr/bin/ffmpeg
# The number, so that an orchestrator can tell that it is not root. Everything but /work, the /recordings of a recorder,
# and /tmp may be read-only.
USER 1000:1000
EXPOSE 3000 9090
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "scripts/health-check.mjs"]
ENTRYPOINT ["node", "scripts/run.mjs"]
CMD ["server/src/main.ts"]
