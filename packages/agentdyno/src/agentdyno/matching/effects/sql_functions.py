"""Functions and pragmas of SQL by whether calling them changes something.

What neither the parser nor these lists know may do anything: databases have functions of users.
"""

import re

_WRITING = """
nextval setval set_config setseed pg_notify pg_sleep_until txid_current pg_current_xact_id
pg_terminate_backend pg_cancel_backend pg_reload_conf pg_rotate_logfile pg_promote pg_switch_wal
pg_switch_xlog pg_create_restore_point pg_start_backup pg_stop_backup pg_backup_start pg_backup_stop
pg_wal_replay_pause pg_wal_replay_resume pg_export_snapshot pg_logical_emit_message
pg_create_logical_replication_slot pg_create_physical_replication_slot pg_drop_replication_slot
pg_replication_slot_advance pg_logical_slot_get_changes pg_stat_reset pg_stat_statements_reset
pg_stat_reset_shared pg_advisory_lock pg_advisory_unlock pg_advisory_unlock_all
pg_advisory_xact_lock pg_try_advisory_lock pg_try_advisory_xact_lock pg_file_write pg_file_rename
pg_file_unlink
pg_import_system_collations lo_import lo_export lo_creat lo_create lo_unlink lo_put lo_from_bytea
lowrite lo_truncate dblink dblink_exec dblink_connect dblink_disconnect dblink_send_query
query_to_xml cursor_to_xml table_to_xml database_to_xml create_hypertable drop_chunks
get_lock release_lock release_all_locks last_insert_id load_file master_pos_wait sys_exec sys_eval
load_extension writefile edit fts3_tokenizer sqlite_compileoption_used xp_cmdshell sp_executesql
openrowset opendatasource newsequentialid system$cancel_query system$abort_session
"""
WRITING_FUNCTIONS = frozenset(_WRITING.split())
"""Sequences, locks, settings, large objects, files, other sessions and other servers."""

_PURE = """
now version database schema user current_user session_user current_schema current_database
connection_id strftime julianday unixepoch datetime timediff printf total typeof unicode quote
randomblob zeroblob likelihood likely unlikely changes total_changes last_insert_rowid glob iif
soundex substr instr ltrim rtrim trim nullif ifnull highlight snippet bm25 rank
json_array_length json_each json_tree json_group_array json_group_object json_valid json_type
json_patch jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_each
jsonb_each_text jsonb_object_keys jsonb_build_object jsonb_build_array jsonb_agg jsonb_object_agg
jsonb_pretty jsonb_typeof jsonb_path_query json_build_object json_build_array json_agg row_to_json
to_json to_jsonb json_array_elements json_object_keys json_each_text
to_tsvector to_tsquery plainto_tsquery websearch_to_tsquery ts_rank ts_rank_cd ts_headline
similarity levenshtein unaccent pg_size_pretty pg_total_relation_size pg_relation_size pg_table_size
pg_indexes_size pg_database_size pg_get_viewdef pg_get_indexdef pg_get_constraintdef
pg_get_functiondef pg_get_expr pg_backend_pid pg_is_in_recovery pg_postmaster_start_time
pg_column_size pg_typeof pg_table_is_visible obj_description col_description format_type
has_table_privilege has_schema_privilege current_setting currval lastval inet_server_addr
age clock_timestamp statement_timestamp transaction_timestamp make_date make_interval
make_timestamp justify_days justify_hours to_number to_date to_timestamp timezone isfinite
regexp_matches regexp_split_to_table regexp_split_to_array string_to_table quote_ident
quote_literal quote_nullable btrim overlay position encode decode ascii chr initcap lpad rpad
repeat reverse split_part strpos translate array_length array_position array_to_string
string_to_array array_upper array_lower cardinality unnest generate_subscripts width_bucket
div mod trunc sign degrees radians pi gcd lcm scale bit_length octet_length
date_format str_to_date from_unixtime unix_timestamp datediff timestampdiff timestampadd adddate
subdate curdate curtime dayname monthname dayofweek dayofmonth dayofyear weekofyear yearweek
last_day makedate maketime sec_to_time time_to_sec utc_timestamp utc_date elt field find_in_set
format inet_aton inet_ntoa json_unquote json_contains json_length json_search json_keys
charindex patindex len isnull getdate sysdatetime dateadd datepart datename eomonth newid
object_id object_name db_name schema_name col_name iff zeroifnull nullifzero nvl nvl2 decode
listagg median approx_count_distinct safe_divide safe_cast array_contains object_keys flatten
row_number dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value
"""
PURE_FUNCTIONS = frozenset(_PURE.split())
"""What the parser does not know by itself and is known to compute only."""

_PRAGMAS = """
table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list
foreign_key_check integrity_check quick_check database_list collation_list function_list
module_list pragma_list compile_options
"""
_GETTERS = """
user_version schema_version application_id data_version page_count page_size freelist_count
encoding journal_mode synchronous foreign_keys auto_vacuum cache_size busy_timeout locking_mode
max_page_count mmap_size secure_delete temp_store wal_autocheckpoint recursive_triggers
"""
_PRAGMA = re.compile(r"\s*pragma\s+(?:\w+\s*\.\s*)?(\w+)\s*(.?)", re.IGNORECASE | re.DOTALL)


def does_pragma_read(text: str) -> bool:
    """Whether a pragma only says something: `table_info(t)` and `user_version` do, and
    `user_version = 5`, `user_version(5)`, `wal_checkpoint` and `optimize` do not."""
    found = _PRAGMA.match(text)
    if found is None:
        return False
    name, sign = found[1].lower(), found[2]
    if name in _PRAGMAS.split():
        return sign != "="
    return name in _GETTERS.split() and sign in ("", ";")
