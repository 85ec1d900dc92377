# syntax=docker/dockerfile:1
# The build stage has the Swift toolchain and the linked libraries. The runtime stage copies from it only the binary, its Swift libraries and the engine.
FROM swift:6.3-bookworm AS build
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install -y --no-install-recommends libmicrohttpd-dev libsqlite3-dev libjemalloc-dev libcurl4-openssl-dev libssl-dev libpq-dev pkg-config \
    wasi-libc binaryen brotli \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /cairn
COPY Package.swift VERSION ./
COPY Sources Sources
# The console contains this file of the client.
COPY clients/javascript/src/event-stream.js clients/javascript/src/event-stream.js
COPY Tests Tests
COPY migrations migrations
# The source's version that `cairn --version` prints, as set by `make image`.
ARG CAIRN_COMMIT=
RUN swift build -c release --product cairn
COPY scripts/build-engine scripts/build-engine
RUN scripts/build-engine /out/engine
COPY scripts/collect-runtime scripts/collect-runtime
RUN scripts/collect-runtime "$(swift build -c release --show-bin-path)/cairn" /out

FROM debian:bookworm-slim
# For a reproducible image: useradd records the day.
ARG SOURCE_DATE_EPOCH
# A new volume gets the owner and the mode of the image's folder, if the runtime copies them.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install -y --no-install-recommends libmicrohttpd12 libsqlite3-0 libjemalloc2 libcurl4 libssl3 libpq5 ca-certificates curl tzdata \
 && rm -rf /var/lib/apt/lists/* /var/log/apt /var/log/*.log /var/cache/ldconfig/aux-cache \
 && useradd --uid 10001 --user-group --home-dir /var/lib/cairn --no-create-home cairn \
 && install --directory --owner=10001 --group=10001 --mode=700 /var/lib/cairn
COPY --from=build /out/bin/cairn /usr/local/bin/cairn
COPY --from=build /out/lib/ /usr/local/lib/cairn/
COPY --from=build /out/engine/ /usr/local/share/cairn/engine/
COPY config /etc/cairn
ENV LD_LIBRARY_PATH=/usr/local/lib/cairn \
    CAIRN_HOST=0.0.0.0 \
    CAIRN_PORT=8080 \
    CAIRN_APPS=/etc/cairn/apps \
    CAIRN_ENGINE=/usr/local/share/cairn/engine \
    CAIRN_CREATION=operator \
    CAIRN_DATABASE=/var/lib/cairn/cairn.sqlite \
    CAIRN_STOP_DELAY=5s
# Both are set by `make image` and scripts/release-image.
ARG CAIRN_VERSION=
ARG CAIRN_COMMIT=
LABEL org.opencontainers.image.title=Cairn \
      org.opencontainers.image.licenses=Apache-2.0 \
      org.opencontainers.image.version=$CAIRN_VERSION \
      org.opencontainers.image.revision=$CAIRN_COMMIT
USER 10001
WORKDIR /var/lib/cairn
VOLUME /var/lib/cairn
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["curl", "--fail", "--silent", "http://127.0.0.1:8080/readyz"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["cairn"]
CMD ["serve", "--config", "/etc/cairn/cairn.yaml"]
