# The product for several machines: one image, started as API or as worker (compose.yaml).
# The steps are README's own: npm ci, npm run build, then what `npm run api` and `npm run worker` run.

FROM node:24-bookworm-slim AS system
RUN apt-get update \
 && apt-get install -y --no-install-recommends ffmpeg bubblewrap perl-base poppler-utils util-linux \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /app

# For .devcontainer: the sources are mounted. Its user is not root, so the tests can install nothing.
FROM system AS development
RUN apt-get update \
 && apt-get install -y --no-install-recommends git chromium-headless-shell curl espeak-ng libxml2-utils python3 python3-requests \
 && rm -rf /var/lib/apt/lists/*

FROM system AS build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# The address that the built pages name as their own.
ARG PUBLIC_URL
RUN npm run build && npm prune --omit=dev

FROM system AS production
# Names that nobody answers for take threads; others must still be looked up.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data UV_THREADPOOL_SIZE=64
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin cutindex \
 && install -d -o cutindex -g cutindex -m 0700 /data
COPY --from=build /app /app
# Compiled code and rewritten models; without it every process makes its own.
RUN install -d -o cutindex -g cutindex -m 0700 /app/node_modules/.cache
USER cutindex
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node_modules/.bin/node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/v1/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node_modules/.bin/node", "server/process/main.ts"]
