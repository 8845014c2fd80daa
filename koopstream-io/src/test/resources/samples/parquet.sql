-- The Parquet files beside this, made once with DuckDB 1.3.2 (org.duckdb:duckdb_jdbc:1.3.2.0, which is not part of the build):
-- run these statements in that folder, e.g. with the duckdb command: duckdb < parquet.sql
CREATE TABLE t AS
  SELECT TIMESTAMP '2020-01-02 03:04:05.25' + i * INTERVAL 1 HOUR AS time,
         i / 4.0::DOUBLE AS x,
         CASE WHEN i % 5 = 3 THEN NULL ELSE i * i END::BIGINT AS y,
         (i / 8.0)::FLOAT AS f,
         (i / 100.0)::DECIMAL(9, 2) AS cents,
         (i / 100.0)::DECIMAL(30, 2) AS wide,
         CASE i % 2 WHEN 0 THEN 'low' ELSE 'high' END AS level,
         i % 2 = 0 AS even
  FROM range(40) r(i);
COPY t TO 'duckdb-snappy.parquet' (FORMAT parquet, COMPRESSION snappy);
COPY t TO 'duckdb-gzip.parquet' (FORMAT parquet, COMPRESSION gzip);
COPY t TO 'duckdb-zstd.parquet' (FORMAT parquet, COMPRESSION zstd);
COPY t TO 'duckdb-brotli.parquet' (FORMAT parquet, COMPRESSION brotli);
COPY t TO 'duckdb-lz4.parquet' (FORMAT parquet, COMPRESSION lz4_raw);
COPY t TO 'duckdb-uncompressed.parquet' (FORMAT parquet, COMPRESSION uncompressed);
COPY (SELECT time::TIMESTAMP_MS AS at_ms, x FROM t) TO 'duckdb-millis.parquet' (FORMAT parquet);
COPY (SELECT time::TIMESTAMP_NS AS at_ns, x FROM t) TO 'duckdb-nanos.parquet' (FORMAT parquet);
COPY (SELECT time::TIMESTAMPTZ AS at_utc, x FROM t) TO 'duckdb-zoned.parquet' (FORMAT parquet);
COPY (SELECT DATE '2020-01-02' + i::INTEGER AS day, i / 4.0::DOUBLE AS x, [i, i] AS pair FROM range(40) r(i)) TO 'duckdb-dates.parquet' (FORMAT parquet);
