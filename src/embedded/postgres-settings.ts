/** What the service relies on; given on the command line, so that no edit of postgresql.conf can change it. */
export const FIXED_SETTINGS: readonly (readonly [name: string, value: string])[] = [
  ['listen_addresses', ''],
  // The data folder itself, which only the server's user may enter. Relative, so that no path is too long for a socket.
  ['unix_socket_directories', '.'],
  ['unix_socket_permissions', '0700'],
  ['port', '5432'],
  ['fsync', 'on'],
  ['full_page_writes', 'on'],
  ['synchronous_commit', 'on'],
  ['logging_collector', 'off'],
  ['log_destination', 'stderr'],
];

/** For a small server that shares its machine; written to postgresql.conf once, where the operator may change them. */
export const INITIAL_SETTINGS: readonly (readonly [name: string, value: string])[] = [
  ['shared_buffers', '192MB'],
  ['work_mem', '8MB'],
  ['maintenance_work_mem', '64MB'],
  ['effective_cache_size', '1GB'],
  ['random_page_cost', '1.1'],
  ['jit', 'off'],
  // Parallel plans need room in /dev/shm, of which containers have little, and take cores from the service.
  ['max_parallel_workers_per_gather', '0'],
  ['min_wal_size', '80MB'],
  ['max_wal_size', '1GB'],
  ['wal_compression', 'on'],
  ['max_logical_replication_workers', '0'],
  ['checkpoint_timeout', '10min'],
  ['autovacuum_naptime', '30s'],
  ['timezone', 'UTC'],
  ['log_timezone', 'UTC'],
  ['log_line_prefix', '%m [%p] '],
  ['log_checkpoints', 'off'],
  // The detail lines of an error quote rows, and so phone numbers.
  ['log_error_verbosity', 'terse'],
];
